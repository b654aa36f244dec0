# Made for tests of the GML reader: the ring of ring.csv
Creator "routebound"
graph [
  label "ring [a, b, c, d]"
  directed 0
  node [ id 0 label "a" graphics [ x 0.0 y 1.5 ] ]
  node [ id 1 label "b" ]
  node [ id 2 label "c" ]
  node [ id 3 label "d" ]
  edge [ source 0 target 1 capacity 10 ]
  edge [ source 1 target 2 bandwidth 2.5 ]
  edge [ source 2 target 3 capacity 10 ]
  edge [ source 3 target 0 capacity 40 ]
]
