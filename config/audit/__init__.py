"""What fills the log of sign-ins and exports: signals of Django, ended jobs, every download."""
