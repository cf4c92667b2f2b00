// Keeps the start page current: it asks for a token and reloads when it changed; the socket makes it ask at once.
"use strict";
(() => {
  const shown = document.querySelector("[data-pulse]").dataset.pulse;
  const ask = async () => {
    if (document.visibilityState !== "visible") return;
    try {
      const answer = await fetch("/pulse", { headers: { Accept: "application/json" } });
      if (answer.ok && (await answer.json()).pulse !== shown) location.reload();
    } catch {
      // The server is away; the next question may find it back.
    }
  };
  setInterval(ask, 4000);
  document.addEventListener("visibilitychange", ask);
  const listen = () => {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/ws/passes/`);
    socket.onmessage = ask;
    socket.onclose = (event) => { if (event.code !== 4401) setTimeout(listen, 30000); };
  };
  listen();
})();
