"""`python -m routebound`: the program itself."""

import subprocess
import sys

from routebound import find_binary

sys.exit(subprocess.run([find_binary(), *sys.argv[1:]], check=False).returncode)
