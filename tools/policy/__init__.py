"""Rules about calls: which may run, which are asked about, which are refused."""
