// Runs before the first paint: light or dark, as the user or the system has chosen.
document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
try {
  document.documentElement.dataset.theme = localStorage.getItem("theme") || document.documentElement.dataset.theme;
} catch { /* private mode */ }
