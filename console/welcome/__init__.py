"""The page shown while no tool is open."""
