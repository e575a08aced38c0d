"""What a person learns: grades, tests, mistakes, recordings and analyses. No Qt."""
