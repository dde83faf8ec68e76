# Install rules: see the house.
