"""The categories of arXiv: their codes, and the names that pages print beside a code, or alone as a title."""

from typing import Final

_ARCHIVES: Final = {  # with those of before 2007
    "acc-phys": "Accelerator Physics",
    "adap-org": "Adaptation, Noise, and Self-Organizing Systems",
    "alg-geom": "Algebraic Geometry",
    "ao-sci": "Atmospheric-Oceanic Sciences",
    "astro-ph": "Astrophysics",
    "atom-ph": "Atomic, Molecular and Optical Physics",
    "bayes-an": "Bayesian Analysis",
    "chao-dyn": "Chaotic Dynamics",
    "chem-ph": "Chemical Physics",
    "cmp-lg": "Computation and Language",
    "comp-gas": "Cellular Automata and Lattice Gases",
    "cond-mat": "Condensed Matter",
    "cs": "Computer Science",
    "dg-ga": "Differential Geometry",
    "econ": "Economics",
    "eess": "Electrical Engineering and Systems Science",
    "funct-an": "Functional Analysis",
    "gr-qc": "General Relativity and Quantum Cosmology",
    "hep-ex": "High Energy Physics - Experiment",
    "hep-lat": "High Energy Physics - Lattice",
    "hep-ph": "High Energy Physics - Phenomenology",
    "hep-th": "High Energy Physics - Theory",
    "math": "Mathematics",
    "math-ph": "Mathematical Physics",
    "mtrl-th": "Materials Theory",
    "nlin": "Nonlinear Sciences",
    "nucl-ex": "Nuclear Experiment",
    "nucl-th": "Nuclear Theory",
    "patt-sol": "Pattern Formation and Solitons",
    "physics": "Physics",
    "plasm-ph": "Plasma Physics",
    "q-alg": "Quantum Algebra and Topology",
    "q-bio": "Quantitative Biology",
    "q-fin": "Quantitative Finance",
    "quant-ph": "Quantum Physics",
    "solv-int": "Exactly Solvable and Integrable Systems",
    "stat": "Statistics",
    "supr-con": "Superconductivity",
}
_SUBJECTS: Final = {  # of an archive, each with the last part of its code
    "astro-ph": "CO Cosmology and Nongalactic Astrophysics|EP Earth and Planetary Astrophysics"
    "|GA Astrophysics of Galaxies|HE High Energy Astrophysical Phenomena"
    "|IM Instrumentation and Methods for Astrophysics|SR Solar and Stellar Astrophysics",
    "cond-mat": "dis-nn Disordered Systems and Neural Networks|mes-hall Mesoscale and Nanoscale Physics"
    "|mtrl-sci Materials Science|other Other Condensed Matter|quant-gas Quantum Gases|soft Soft Condensed Matter"
    "|stat-mech Statistical Mechanics|str-el Strongly Correlated Electrons|supr-con Superconductivity",
    "cs": "AI Artificial Intelligence|AR Hardware Architecture|CC Computational Complexity"
    "|CE Computational Engineering, Finance, and Science|CG Computational Geometry|CL Computation and Language"
    "|CR Cryptography and Security|CV Computer Vision and Pattern Recognition|CY Computers and Society|DB Databases"
    "|DC Distributed, Parallel, and Cluster Computing|DL Digital Libraries|DM Discrete Mathematics"
    "|DS Data Structures and Algorithms|ET Emerging Technologies|FL Formal Languages and Automata Theory"
    "|GL General Literature|GR Graphics|GT Computer Science and Game Theory|HC Human-Computer Interaction"
    "|IR Information Retrieval|IT Information Theory|LG Machine Learning|LO Logic in Computer Science"
    "|MA Multiagent Systems|MM Multimedia|MS Mathematical Software|NA Numerical Analysis"
    "|NE Neural and Evolutionary Computing|NI Networking and Internet Architecture|OH Other Computer Science"
    "|OS Operating Systems|PF Performance|PL Programming Languages|RO Robotics|SC Symbolic Computation|SD Sound"
    "|SE Software Engineering|SI Social and Information Networks|SY Systems and Control",
    "econ": "EM Econometrics|GN General Economics|TH Theoretical Economics",
    "eess": "AS Audio and Speech Processing|IV Image and Video Processing|SP Signal Processing|SY Systems and Control",
    "math": "AC Commutative Algebra|AG Algebraic Geometry|AP Analysis of PDEs|AT Algebraic Topology"
    "|CA Classical Analysis and ODEs|CO Combinatorics|CT Category Theory|CV Complex Variables"
    "|DG Differential Geometry|DS Dynamical Systems|FA Functional Analysis|GM General Mathematics"
    "|GN General Topology|GR Group Theory|GT Geometric Topology|HO History and Overview|IT Information Theory"
    "|KT K-Theory and Homology|LO Logic|MG Metric Geometry|MP Mathematical Physics|NA Numerical Analysis"
    "|NT Number Theory|OA Operator Algebras|OC Optimization and Control|PR Probability|QA Quantum Algebra"
    "|RA Rings and Algebras|RT Representation Theory|SG Symplectic Geometry|SP Spectral Theory|ST Statistics Theory",
    "nlin": "AO Adaptation and Self-Organizing Systems|CD Chaotic Dynamics|CG Cellular Automata and Lattice Gases"
    "|PS Pattern Formation and Solitons|SI Exactly Solvable and Integrable Systems",
    "physics": "acc-ph Accelerator Physics|ao-ph Atmospheric and Oceanic Physics|app-ph Applied Physics"
    "|atm-clus Atomic and Molecular Clusters|atom-ph Atomic Physics|bio-ph Biological Physics"
    "|chem-ph Chemical Physics|class-ph Classical Physics|comp-ph Computational Physics"
    "|data-an Data Analysis, Statistics and Probability|ed-ph Physics Education|flu-dyn Fluid Dynamics"
    "|gen-ph General Physics|geo-ph Geophysics|hist-ph History and Philosophy of Physics"
    "|ins-det Instrumentation and Detectors|med-ph Medical Physics|optics Optics|plasm-ph Plasma Physics"
    "|pop-ph Popular Physics|soc-ph Physics and Society|space-ph Space Physics",
    "q-bio": "BM Biomolecules|CB Cell Behavior|GN Genomics|MN Molecular Networks|NC Neurons and Cognition"
    "|OT Other Quantitative Biology|PE Populations and Evolution|QM Quantitative Methods|SC Subcellular Processes"
    "|TO Tissues and Organs",
    "q-fin": "CP Computational Finance|EC Economics|GN General Finance|MF Mathematical Finance"
    "|PM Portfolio Management|PR Pricing of Securities|RM Risk Management|ST Statistical Finance"
    "|TR Trading and Market Microstructure",
    "stat": "AP Applications|CO Computation|ME Methodology|ML Machine Learning|OT Other Statistics"
    "|TH Statistics Theory",
}

CATEGORIES: Final = _ARCHIVES | {
    f"{archive}.{code}": name
    for archive, subjects in _SUBJECTS.items()
    for code, _, name in (subject.partition(" ") for subject in subjects.split("|"))
}
"""The names of archives and categories by code."""

CATEGORY_NAMES: Final = frozenset(CATEGORIES.values())
