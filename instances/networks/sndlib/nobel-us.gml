graph [
  name "nobel_us"
  directed 0
  stats [
    nodes 14
    links 21
    demands 182
    min_degree 2
    avg_degree 3.0
    std_degree 0.53
    max_degree 4
    gini 0.08
    min_link_len 294.05
    avg_link_len 1087.54
    max_link_len 2833.58
    diameter_len 4457.2
    diameter_hops 3
    avg_sdp_num 1.24
    max_sdp_num 3
    avg_sdp_hops 1.94
    avg_sdp_len 980.29
    avg_adp_num 2.73
    max_adp_num 4
    avg_adp_hops 3.17
    avg_adp_len 3417.79
  ]
  node [
    id 0
    label "Palo-Alto"
    lon -122.07
    lat 37.25
  ]
  node [
    id 1
    label "San-Diego"
    lon -117.08
    lat 32.42
  ]
  node [
    id 2
    label "Boulder"
    lon -105.16
    lat 40.0
  ]
  node [
    id 3
    label "Washington"
    lon -77.02
    lat 38.52
  ]
  node [
    id 4
    label "Atlanta"
    lon -84.23
    lat 33.44
  ]
  node [
    id 5
    label "Urbana-Champaign"
    lon -88.14
    lat 40.06
  ]
  node [
    id 6
    label "Ann-Arbor"
    lon -83.43
    lat 42.16
  ]
  node [
    id 7
    label "Lincoln"
    lon -96.42
    lat 40.47
  ]
  node [
    id 8
    label "Princeton"
    lon -74.39
    lat 40.21
  ]
  node [
    id 9
    label "Ithaca"
    lon -76.3
    lat 42.26
  ]
  node [
    id 10
    label "Pittsburgh"
    lon -79.58
    lat 40.26
  ]
  node [
    id 11
    label "Houston"
    lon -95.21
    lat 29.45
  ]
  node [
    id 12
    label "Salt-Lake-City"
    lon -111.55
    lat 40.39
  ]
  node [
    id 13
    label "Seattle"
    lon -122.24
    lat 47.33
  ]
  edge [
    source 0
    target 1
    dist 704.13
  ]
  edge [
    source 0
    target 12
    dist 975.47
  ]
  edge [
    source 0
    target 13
    dist 1121.25
  ]
  edge [
    source 1
    target 11
    dist 2108.66
  ]
  edge [
    source 1
    target 13
    dist 1714.87
  ]
  edge [
    source 2
    target 7
    dist 743.65
  ]
  edge [
    source 2
    target 11
    dist 1482.54
  ]
  edge [
    source 2
    target 12
    dist 544.51
  ]
  edge [
    source 3
    target 8
    dist 294.05
  ]
  edge [
    source 3
    target 9
    dist 420.43
  ]
  edge [
    source 3
    target 11
    dist 1952.11
  ]
  edge [
    source 4
    target 10
    dist 863.79
  ]
  edge [
    source 4
    target 11
    dist 1131.68
  ]
  edge [
    source 5
    target 7
    dist 703.96
  ]
  edge [
    source 5
    target 10
    dist 727.69
  ]
  edge [
    source 5
    target 13
    dist 2833.58
  ]
  edge [
    source 6
    target 8
    dist 786.74
  ]
  edge [
    source 6
    target 9
    dist 587.33
  ]
  edge [
    source 6
    target 12
    dist 2348.18
  ]
  edge [
    source 8
    target 10
    dist 440.66
  ]
  edge [
    source 9
    target 10
    dist 353.07
  ]
]