/** Requests to the service. The token is kept for this tab only, and sent in a header. */

const KEPT = "token";

/** A refusal, in the service's words; status 0 if nobody answers. */
export class ServiceError extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

/** Take the token after # in the address, which browsers never send, and remove it from view. */
export function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (!given) return false;
  setToken(given);
  history.replaceState(null, "", location.pathname);
  return true;
}

export const setToken = (token) => sessionStorage.setItem(KEPT, token.trim());

/** Return the service's answer; `body` is an object, or the bytes of a file. */
export async function ask(path, body, signal, method = body ? "POST" : "GET") {
  const token = sessionStorage.getItem(KEPT);
  let response;
  let answer;
  try {
    response = await fetch(`/v1${path}`, {
      method,
      headers: token ? { Authorization: `Bearer ${token}` } : {},
      body: body && !(body instanceof Blob) ? JSON.stringify(body) : body,
      cache: "no-store",
      signal,
    });
    answer = await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ServiceError(0, "");
  }
  if (!response.ok) throw new ServiceError(response.status, String(answer.error));
  return answer;
}
