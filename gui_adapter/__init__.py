"""The game in the browser: a web server that speaks the line protocol to engines and JSON to pages."""
