"""The worker of the web server, which lets no slow client hold a page of somebody else."""
