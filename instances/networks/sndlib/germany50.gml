graph [
  name "germany50"
  directed 0
  stats [
    nodes 50
    links 88
    demands 1324
    min_degree 2
    avg_degree 3.52
    std_degree 1.04
    max_degree 5
    gini 0.17
    min_link_len 25.94
    avg_link_len 100.71
    max_link_len 252.3
    diameter_len 935.02
    diameter_hops 9
    avg_sdp_num 1.23
    max_sdp_num 3
    avg_sdp_hops 2.85
    avg_sdp_len 117.98
    avg_adp_num 3.19
    max_adp_num 5
    avg_adp_hops 4.67
    avg_adp_len 446.59
  ]
  node [
    id 0
    label "Aachen"
    lon 6.04
    lat 50.76
  ]
  node [
    id 1
    label "Augsburg"
    lon 10.9
    lat 48.33
  ]
  node [
    id 2
    label "Bayreuth"
    lon 11.59
    lat 49.93
  ]
  node [
    id 3
    label "Berlin"
    lon 13.39
    lat 52.52
  ]
  node [
    id 4
    label "Bielefeld"
    lon 8.5
    lat 52.04
  ]
  node [
    id 5
    label "Braunschweig"
    lon 10.55
    lat 52.28
  ]
  node [
    id 6
    label "Bremen"
    lon 8.85
    lat 53.11
  ]
  node [
    id 7
    label "Bremerhaven"
    lon 8.58
    lat 53.54
  ]
  node [
    id 8
    label "Chemnitz"
    lon 12.93
    lat 50.84
  ]
  node [
    id 9
    label "Darmstadt"
    lon 8.65
    lat 49.89
  ]
  node [
    id 10
    label "Dortmund"
    lon 7.45
    lat 51.51
  ]
  node [
    id 11
    label "Dresden"
    lon 13.73
    lat 51.03
  ]
  node [
    id 12
    label "Duesseldorf"
    lon 6.77
    lat 51.25
  ]
  node [
    id 13
    label "Erfurt"
    lon 11.04
    lat 50.98
  ]
  node [
    id 14
    label "Essen"
    lon 7.02
    lat 51.46
  ]
  node [
    id 15
    label "Flensburg"
    lon 9.45
    lat 54.77
  ]
  node [
    id 16
    label "Frankfurt"
    lon 8.71
    lat 50.12
  ]
  node [
    id 17
    label "Freiburg"
    lon 7.8
    lat 47.98
  ]
  node [
    id 18
    label "Fulda"
    lon 9.69
    lat 50.56
  ]
  node [
    id 19
    label "Giessen"
    lon 8.67
    lat 50.57
  ]
  node [
    id 20
    label "Greifswald"
    lon 13.4
    lat 54.09
  ]
  node [
    id 21
    label "Hamburg"
    lon 9.99
    lat 53.57
  ]
  node [
    id 22
    label "Hannover"
    lon 9.72
    lat 52.38
  ]
  node [
    id 23
    label "Kaiserslautern"
    lon 7.75
    lat 49.43
  ]
  node [
    id 24
    label "Karlsruhe"
    lon 8.41
    lat 49.01
  ]
  node [
    id 25
    label "Kassel"
    lon 9.51
    lat 51.32
  ]
  node [
    id 26
    label "Kempten"
    lon 10.32
    lat 47.72
  ]
  node [
    id 27
    label "Kiel"
    lon 10.12
    lat 54.34
  ]
  node [
    id 28
    label "Koblenz"
    lon 7.52
    lat 50.4
  ]
  node [
    id 29
    label "Koeln"
    lon 6.87
    lat 50.94
  ]
  node [
    id 30
    label "Konstanz"
    lon 9.18
    lat 47.66
  ]
  node [
    id 31
    label "Leipzig"
    lon 12.38
    lat 51.34
  ]
  node [
    id 32
    label "Magdeburg"
    lon 11.64
    lat 52.14
  ]
  node [
    id 33
    label "Mannheim"
    lon 8.49
    lat 49.49
  ]
  node [
    id 34
    label "Muenchen"
    lon 11.57
    lat 48.15
  ]
  node [
    id 35
    label "Muenster"
    lon 7.6
    lat 51.97
  ]
  node [
    id 36
    label "Norden"
    lon 7.21
    lat 53.6
  ]
  node [
    id 37
    label "Nuernberg"
    lon 11.03
    lat 49.57
  ]
  node [
    id 38
    label "Oldenburg"
    lon 8.21
    lat 53.11
  ]
  node [
    id 39
    label "Osnabrueck"
    lon 8.03
    lat 52.28
  ]
  node [
    id 40
    label "Passau"
    lon 13.46
    lat 48.57
  ]
  node [
    id 41
    label "Regensburg"
    lon 12.09
    lat 49.0
  ]
  node [
    id 42
    label "Saarbruecken"
    lon 7.03
    lat 49.23
  ]
  node [
    id 43
    label "Schwerin"
    lon 11.45
    lat 53.55
  ]
  node [
    id 44
    label "Siegen"
    lon 8.03
    lat 50.91
  ]
  node [
    id 45
    label "Stuttgart"
    lon 9.1
    lat 48.74
  ]
  node [
    id 46
    label "Trier"
    lon 6.68
    lat 49.75
  ]
  node [
    id 47
    label "Ulm"
    lon 9.99
    lat 48.4
  ]
  node [
    id 48
    label "Wesel"
    lon 6.37
    lat 51.39
  ]
  node [
    id 49
    label "Wuerzburg"
    lon 9.97
    lat 49.78
  ]
  edge [
    source 0
    target 29
    dist 61.63
  ]
  edge [
    source 0
    target 48
    dist 73.77
  ]
  edge [
    source 0
    target 46
    dist 121.21
  ]
  edge [
    source 1
    target 47
    dist 67.69
  ]
  edge [
    source 1
    target 34
    dist 53.52
  ]
  edge [
    source 1
    target 49
    dist 174.94
  ]
  edge [
    source 2
    target 31
    dist 166.43
  ]
  edge [
    source 2
    target 8
    dist 138.83
  ]
  edge [
    source 2
    target 37
    dist 56.77
  ]
  edge [
    source 3
    target 31
    dist 148.4
  ]
  edge [
    source 3
    target 11
    dist 167.37
  ]
  edge [
    source 3
    target 43
    dist 173.08
  ]
  edge [
    source 3
    target 32
    dist 126.23
  ]
  edge [
    source 3
    target 20
    dist 174.63
  ]
  edge [
    source 4
    target 35
    dist 62.11
  ]
  edge [
    source 4
    target 44
    dist 129.83
  ]
  edge [
    source 4
    target 22
    dist 91.34
  ]
  edge [
    source 4
    target 5
    dist 142.4
  ]
  edge [
    source 5
    target 32
    dist 75.9
  ]
  edge [
    source 5
    target 21
    dist 148.31
  ]
  edge [
    source 5
    target 22
    dist 57.5
  ]
  edge [
    source 5
    target 25
    dist 128.52
  ]
  edge [
    source 6
    target 38
    dist 42.73
  ]
  edge [
    source 6
    target 7
    dist 51.08
  ]
  edge [
    source 6
    target 22
    dist 100.12
  ]
  edge [
    source 7
    target 15
    dist 148.08
  ]
  edge [
    source 8
    target 11
    dist 59.93
  ]
  edge [
    source 8
    target 13
    dist 133.46
  ]
  edge [
    source 9
    target 16
    dist 25.94
  ]
  edge [
    source 9
    target 33
    dist 45.96
  ]
  edge [
    source 9
    target 23
    dist 82.56
  ]
  edge [
    source 10
    target 14
    dist 30.3
  ]
  edge [
    source 10
    target 35
    dist 52.2
  ]
  edge [
    source 10
    target 44
    dist 78.02
  ]
  edge [
    source 10
    target 25
    dist 144.45
  ]
  edge [
    source 11
    target 31
    dist 100.23
  ]
  edge [
    source 11
    target 13
    dist 188.34
  ]
  edge [
    source 12
    target 14
    dist 29.11
  ]
  edge [
    source 12
    target 29
    dist 35.18
  ]
  edge [
    source 13
    target 31
    dist 101.69
  ]
  edge [
    source 13
    target 25
    dist 113.25
  ]
  edge [
    source 13
    target 49
    dist 153.54
  ]
  edge [
    source 14
    target 48
    dist 45.75
  ]
  edge [
    source 15
    target 27
    dist 64.46
  ]
  edge [
    source 16
    target 28
    dist 90.17
  ]
  edge [
    source 16
    target 19
    dist 50.13
  ]
  edge [
    source 16
    target 18
    dist 85.06
  ]
  edge [
    source 17
    target 24
    dist 123.07
  ]
  edge [
    source 17
    target 30
    dist 109.04
  ]
  edge [
    source 18
    target 25
    dist 85.47
  ]
  edge [
    source 18
    target 19
    dist 72.07
  ]
  edge [
    source 18
    target 49
    dist 89.02
  ]
  edge [
    source 19
    target 44
    dist 58.82
  ]
  edge [
    source 19
    target 25
    dist 102.1
  ]
  edge [
    source 20
    target 43
    dist 141.42
  ]
  edge [
    source 21
    target 43
    dist 96.48
  ]
  edge [
    source 21
    target 27
    dist 86.07
  ]
  edge [
    source 21
    target 22
    dist 133.59
  ]
  edge [
    source 22
    target 39
    dist 115.41
  ]
  edge [
    source 23
    target 28
    dist 109.14
  ]
  edge [
    source 23
    target 42
    dist 56.73
  ]
  edge [
    source 23
    target 24
    dist 66.94
  ]
  edge [
    source 24
    target 33
    dist 53.7
  ]
  edge [
    source 24
    target 42
    dist 103.39
  ]
  edge [
    source 24
    target 45
    dist 58.73
  ]
  edge [
    source 26
    target 30
    dist 85.61
  ]
  edge [
    source 26
    target 34
    dist 104.71
  ]
  edge [
    source 27
    target 43
    dist 123.7
  ]
  edge [
    source 28
    target 29
    dist 75.54
  ]
  edge [
    source 28
    target 44
    dist 67.16
  ]
  edge [
    source 28
    target 46
    dist 93.93
  ]
  edge [
    source 30
    target 45
    dist 120.27
  ]
  edge [
    source 31
    target 32
    dist 102.54
  ]
  edge [
    source 32
    target 43
    dist 157.35
  ]
  edge [
    source 34
    target 40
    dist 147.28
  ]
  edge [
    source 34
    target 37
    dist 162.81
  ]
  edge [
    source 34
    target 41
    dist 101.99
  ]
  edge [
    source 35
    target 39
    dist 45.29
  ]
  edge [
    source 36
    target 48
    dist 252.3
  ]
  edge [
    source 36
    target 38
    dist 85.89
  ]
  edge [
    source 37
    target 49
    dist 79.79
  ]
  edge [
    source 37
    target 41
    dist 99.67
  ]
  edge [
    source 38
    target 48
    dist 228.67
  ]
  edge [
    source 38
    target 39
    dist 93.11
  ]
  edge [
    source 40
    target 41
    dist 111.21
  ]
  edge [
    source 42
    target 46
    dist 63.12
  ]
  edge [
    source 45
    target 47
    dist 75.64
  ]
  edge [
    source 45
    target 49
    dist 131.79
  ]
]