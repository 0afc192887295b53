// Answers /from-worker itself and asks the server once (/from-worker-origin) on behalf of the page.
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  if (new URL(event.request.url).pathname !== '/from-worker') return;
  event.respondWith(fetch('/from-worker-origin').then(() => new Response('made by the worker')));
});
