// Keeps the page's own files for when the service is not running. Answers about tables and games,
// all below /v1, never pass through it, and neither does the token: none of these addresses has it.
// files.js lists the files, and a version that changes whenever a file does.
importScripts("/files.js");

const CACHE = `page-${FILES.version}`;

self.addEventListener("install", (event) => {
  const fresh = FILES.paths.map((path) => new Request(path, { cache: "reload" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh)));
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  const dropOld = async () => {
    for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(dropOld());
});

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  const isOurs = origin === location.origin && FILES.paths.includes(pathname);
  if (event.request.method !== "GET" || !isOurs) return;
  const kept = async () => {
    try {
      return await fetch(event.request);
    } catch {
      return (await (await caches.open(CACHE)).match(pathname)) ?? Response.error();
    }
  };
  event.respondWith(kept());
});
