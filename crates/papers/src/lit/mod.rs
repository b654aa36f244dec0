//! Papers on networks that are not fat-trees, whose full texts could not be read: their statements quote abstracts, or
//! are as recalled.
//!
//! \[AC\] Applegate and Cohen, *Making Intra-Domain Routing Robust to Changing and Uncertain Traffic Demands* (SIGCOMM
//! 2003); \[TDB\] Towles, Dally and Boyd, *Throughput-Centric Routing Algorithm Design* (SPAA 2003); \[SDTG\] Singh, Dally,
//! Towles and Gupta, *Locality-Preserving Randomized Oblivious Routing on Torus Networks* (SPAA 2002); \[RM\] Ramakanth and
//! Modiano, *Optimal Oblivious Load-Balancing for Sparse Traffic in Large-Scale Satellite Networks* (arXiv 2601.02537);
//! \[FAS\] Ferreira, Atre, Sherry, Dinitz and Sobrinho, *Minimum Congestion Routing of Unsplittable Flows in Data-Center
//! Networks* (arXiv 2505.03908); \[NV\] Ngo and Vu, *Multirate Rearrangeable Clos Networks and a Generalized Edge-Coloring
//! Problem on Bipartite Graphs* (SIAM J. Computing 32(4), 2003); \[NSZ\] Namyar, Supittayapornpong, Zhang, Yu and Govindan,
//! *A Throughput-Centric View of the Performance of Datacenter Topologies* (SIGCOMM 2021); \[TD\] Towles and Dally,
//! *Worst-Case Traffic for Oblivious Routing Functions* (IEEE Computer Architecture Letters 1, 2002); \[CMB\] Camarero,
//! Martínez and Beivide, *Ant Mill: an Adversarial Traffic Pattern for Low-Diameter Direct Networks* (J. Supercomputing
//! 80(12), 2024).
//!
//! There is no list of what they print: nothing here says that they are covered.

mod statements;

pub use statements::STATEMENTS;
