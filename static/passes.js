// The start page, kept current: it hears over a socket when a pass ends, and asks again by itself where it hears nothing.
"use strict";
(() => {
  const refresh = () => { if (document.visibilityState === "visible") location.reload(); };
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  let wait = 1000;
  const listen = () => {
    const socket = new WebSocket(`${scheme}//${location.host}/ws/passes/`);
    socket.onopen = () => { wait = 1000; };
    socket.onmessage = refresh;
    socket.onclose = (event) => {
      if (event.code === 4401) return;
      wait = Math.min(wait * 2, 60000);
      setTimeout(listen, wait);
    };
  };
  listen();
  if (document.querySelector("[data-running]")) setTimeout(refresh, 5000);
})();
