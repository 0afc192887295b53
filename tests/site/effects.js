// Shared by every page. An effect is something a person would notice: it is appended to
// window.__log as {name, detail}, the latest one is shown in #status, and report() also tells the
// server (POST /effect), so that a test can count effects even after the page is gone.
(() => {
  const show = (name, detail) => {
    const status = document.getElementById('status');
    if (!status) return;
    const text = detail === null || detail === undefined ? '' : ':' + (typeof detail === 'object' ? JSON.stringify(detail) : detail);
    status.textContent = name + text;
    status.dataset.count = String(window.__log.length);
  };
  window.__log = [];
  window.effect = (name, detail = null) => {
    window.__log.push({ name, detail });
    show(name, detail);
  };
  window.report = (name, detail = null) => {
    window.effect(name, detail);
    return fetch('/effect', {
      method: 'POST',
      keepalive: true,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ page: location.pathname, name, detail }),
    });
  };
  window.param = (name, fallback) => new URLSearchParams(location.search).get(name) ?? fallback;
  window.numberParam = (name, fallback) => Number(window.param(name, fallback));
  window.after = (ms) => new Promise((done) => setTimeout(done, ms));
})();
