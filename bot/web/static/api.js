// Questions to the server part. Every failure becomes an Error with one readable sentence.

async function read(request) {
  let response;
  try {
    response = await request;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The server part does not answer. Is `python -m bot web` still running?");
  }
  let answer;
  try {
    answer = await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The server part gave an answer that cannot be read. Reload the page.");
  }
  if (!response.ok) throw new Error(answer.error || "The server part refuses without a reason.");
  return answer;
}

export const get = (path) => read(fetch(path));

export const ask = (path, question, signal) =>
  read(fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(question), signal }));

/** One question at a time: a new one, or `cancel`, takes the old one back, which also ends its search on the server. */
export class Asker {
  #controller = null;
  get isBusy() { return this.#controller !== null; }
  cancel() { this.#controller?.abort(); this.#controller = null; }
  /** The answer, or undefined when it was taken back. */
  async ask(path, question) {
    this.cancel();
    const controller = (this.#controller = new AbortController());
    try {
      const answer = await ask(path, question, controller.signal);
      return this.#controller === controller ? answer : undefined;
    } catch (error) {
      if (error.name === "AbortError" || this.#controller !== controller) return undefined;
      throw error;
    } finally {
      if (this.#controller === controller) this.#controller = null;
    }
  }
}
