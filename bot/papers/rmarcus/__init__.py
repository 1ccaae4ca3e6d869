"""The web program of rmarcus.info, which Halim et al. played against."""
