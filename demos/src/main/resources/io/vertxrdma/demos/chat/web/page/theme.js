// Before the first paint: the theme chosen here before, or else the system's.
(() => {
  const root = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const stored = () => {
    try {
      return localStorage.getItem('theme');
    } catch {
      return null; // Storage may be forbidden.
    }
  };

  const apply = () => {
    const theme = root.dataset.chosen ?? (system.matches ? 'dark' : 'light');
    root.dataset.theme = theme;
    document.getElementById('theme')?.setAttribute('aria-pressed', String(theme === 'dark'));
    document.dispatchEvent(new CustomEvent('themechange'));
  };

  const before = stored();
  if (before === 'dark' || before === 'light') root.dataset.chosen = before;
  apply();
  system.addEventListener('change', apply);
  document.addEventListener('DOMContentLoaded', () => {
    document.getElementById('theme').addEventListener('click', () => {
      root.dataset.chosen = root.dataset.theme === 'dark' ? 'light' : 'dark';
      try {
        localStorage.setItem('theme', root.dataset.chosen);
      } catch {
        // Then it is for this page only.
      }
      apply();
    });
    apply();
  });
})();
