// The same script as dedicated and as shared worker.
const answer = async (name, reply) => {
  const seen = await (await fetch(`/echo?from=${name}`)).json();
  reply(seen.target);
};
self.onmessage = (e) => answer(e.data, (target) => self.postMessage(target));
self.onconnect = (e) => {
  const [port] = e.ports;
  port.onmessage = (message) => answer(message.data, (target) => port.postMessage(target));
};
