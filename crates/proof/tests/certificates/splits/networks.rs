//! Certificates of splits, with what they put on links.

/// Three hosts with two cables each to switch 3. Half of a pair's traffic is on every link that it can
/// take: each host loads its links with 1/2 if it sends 1, and with 1 if it sends its capacity, 2.
pub const STAR: &str = "routebound-certificate 1
hosts 3
nodes 4
link 0 3 1
link 0 3 1
link 3 0 1
link 3 0 1
link 1 3 1
link 1 3 1
link 3 1 1
link 3 1 1
link 2 3 1
link 2 3 1
link 3 2 1
link 3 2 1
split paths
class 0-2
claim oblivious-ratio 1 1
claim permutation-load 1/2 1/2
witness 0 1/2
demand 0 1 1
route even
ends
end
";

/// Leaf 5 with hosts 0 and 1, leaf 6 with hosts 2, 3 and, by a faster cable, 4; spines 7 and 8. Of
/// the two cables between each leaf and each spine one is missing, between 6 and 8.
///
/// From leaf 5 to leaf 6 `hops` puts 1/4 on each of the four links up (10, 12, 14, 16). Half arrives at
/// either spine, so links 19 and 21 down carry 1/4, and link 23 carries 1/2. Two hosts send: it
/// carries 1 of a permutation, and 2 where hosts send their capacity, 2. `paths` finds
/// 2·2 + 2·1 = 6 paths: 1/3 on links 10, 12, 19, 21 and 23, and 1/6 on 14 and 16. The best flow of
/// the witness is this one, with load 2/3. From leaf 6 to leaf 5 both put 1/3 on links 18, 20, 22, 11 and 13
/// and 1/6 on 15 and 17: two hosts receive, and sources would allow 1.
pub const TREE: &str = "routebound-certificate 1
hosts 5
nodes 9
link 0 5 2
link 5 0 2
link 1 5 2
link 5 1 2
link 2 6 2
link 6 2 2
link 3 6 2
link 6 3 2
link 4 6 3
link 6 4 3
link 5 7 1
link 7 5 1
link 5 7 1
link 7 5 1
link 5 8 1
link 8 5 1
link 5 8 1
link 8 5 1
link 6 7 1
link 7 6 1
link 6 7 1
link 7 6 1
link 6 8 1
link 8 6 1
split hops
class 0-1
class 2-3
class 4
claim permutation-load 1 1
witness 23 2/3
demand 0 2 1
demand 1 4 1
route even
ends
cover 23 s 0:1/2
end
";

/// Leaves 9 and 11 with hosts 0 to 3 and 5 to 8, each leaf with one link to each of the spines 12, 13 and
/// 14; leaf 10 with host 4 under spines 12 and 13 alone. All capacities are 1: three links leave leaf 9, of
/// four hosts, and as many leaf 11.
///
/// Either split puts 1/2 of a pair with host 4 on the way to 12 and from there, and 1/3 of a pair of
/// leaves 9 and 11. At most 3 leaves leaf 9, and at most 1 of that goes to host 4: the load of links 18 and
/// 20 is at most 3·1/3 + 1·1/6 = 7/6, and that of 22, without host 4, at most 3·1/3. Those down, and those
/// of leaf 11 (28 to 33), are the same. Without the cut all four hosts would count: 4·1/3 + 1·1/6 = 3/2. Links of
/// leaf 10 have 1/2 by host 4, and those of hosts have 1. The first two demands of the witness take spines
/// 12 and 13 evenly, and the last one has spine 14 to itself: optu is 1, and link 18 has 1/2 + 2·1/3.
pub const TAPERED: &str = "routebound-certificate 1
hosts 9
nodes 15
link 0 9 1
link 9 0 1
link 1 9 1
link 9 1 1
link 2 9 1
link 9 2 1
link 3 9 1
link 9 3 1
link 4 10 1
link 10 4 1
link 5 11 1
link 11 5 1
link 6 11 1
link 11 6 1
link 7 11 1
link 11 7 1
link 8 11 1
link 11 8 1
link 9 12 1
link 12 9 1
link 9 13 1
link 13 9 1
link 9 14 1
link 14 9 1
link 10 12 1
link 12 10 1
link 10 13 1
link 13 10 1
link 11 12 1
link 12 11 1
link 11 13 1
link 13 11 1
link 11 14 1
link 14 11 1
split hops
class 0-3
class 4
class 5-8
cut 0-3 9
cut 5-8 11
claim oblivious-ratio 7/6 7/6
witness 18 1
demand 0 4 1
demand 1 5 1
demand 2 6 1
route paths
path 0 4 1/2 0 18 25 9
path 0 4 1/2 0 20 27 9
path 1 5 1/2 2 18 29 11
path 1 5 1/2 2 20 31 11
path 2 6 1 4 22 33 13
ends
cover 18 d 4:1/6 o 0:1/3
cover 19 s 4:1/6 i 0:1/3
cover 20 d 4:1/6 o 0:1/3
cover 21 s 4:1/6 i 0:1/3
cover 22 o 0:1/3
cover 23 i 0:1/3
cover 28 d 4:1/6 o 1:1/3
cover 29 s 4:1/6 i 1:1/3
cover 30 d 4:1/6 o 1:1/3
cover 31 s 4:1/6 i 1:1/3
cover 32 o 1:1/3
cover 33 i 1:1/3
end
";

/// Three hosts with links of capacity 5 and 1 to a switch, each of which carries half, and of capacity 1
/// from it. By its source the slower link may carry 6/2, by the two others of its class 2/2.
pub const UNEVEN: &str = "routebound-certificate 1
hosts 3
nodes 4
link 0 3 5
link 0 3 1
link 3 0 1
link 1 3 5
link 1 3 1
link 3 1 1
link 2 3 5
link 2 3 1
link 3 2 1
split hops
class 0-2
claim hose-load 1 1
witness 1 1
demand 0 1 1
demand 0 2 1
route even
ends
end
";

/// Hosts 0 and 1 hang from host 2.
pub const HOSTED: &str = "routebound-certificate 1
hosts 3
nodes 3
link 0 2 1
link 2 0 1
link 1 2 1
link 2 1 1
split hops
claim permutation-load 1 1
witness 0 1
demand 0 1 1
route even
ends
end
";
