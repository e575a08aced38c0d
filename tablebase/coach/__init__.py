"""What exact answers teach: grades, tests, mistakes, drills, analyses. No Qt."""
