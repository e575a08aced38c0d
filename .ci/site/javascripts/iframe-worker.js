// Browsers start no workers for pages that are opened as files: there the search runs in a hidden
// frame. The name tells Material's plugin "offline" not to fetch such a script from another server.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.document.open(); // so that no later load of the empty page takes away what follows
      inside.document.write("<body></body>");
      inside.document.close();
      inside.postMessage = (data) => {
        const event = new MessageEvent("message", { data });
        this.dispatchEvent(event);
        this.onmessage?.(event);
      };
      const script = inside.document.createElement("script");
      script.src = new URL(url, location.href).href;
      this.isReady = new Promise((resolve) => (script.onload = resolve));
      inside.document.body.append(script);
    }

    postMessage(data) {
      const tell = (inside) => inside.dispatchEvent(new inside.MessageEvent("message", { data }));
      this.isReady.then(() => tell(this.frame.contentWindow));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
