"""What every room of the house may use; imports nothing else of the playground."""
