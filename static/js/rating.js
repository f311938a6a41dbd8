// The rating page: save and load the next screen in one request, drafts, keys, active time.
"use strict";
(() => {
  const place = document.getElementById("screen");
  const connection = document.getElementById("connection");
  // In the campaign's language.
  const words = place.dataset;
  const keys = document.getElementById("keys");
  const IDLE = 60000;
  const DRAFT_DELAY = 700;
  // A break is proposed after so long without a pause of so long.
  const LONG = 25 * 60000;
  const PAUSE = 5 * 60000;
  let active = 0;
  let since = performance.now();
  let lastSeen = since;
  let draftTimer = 0;
  let saving = null;
  let sending = false;

  const form = () => place.querySelector("form.screen");
  const wait = (seconds) => new Promise((go) => setTimeout(go, seconds * 1000));

  // Active time: from one sign of life to the next, pauses cut at a minute.
  function alive() {
    const now = performance.now();
    if (!document.hidden) active += Math.min(now - lastSeen, IDLE);
    lastSeen = now;
  }
  for (const kind of ["pointermove", "keydown", "scroll", "pointerdown"]) {
    document.addEventListener(kind, () => {
      if (performance.now() - lastSeen > 250) alive();
    }, { passive: true });
  }
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) alive();
    lastSeen = performance.now();
  });

  // The time without a pause goes on over the pages of a tab.
  const proposal = document.getElementById("break");
  function proposeBreak() {
    const now = Date.now();
    const { begun = now, seen = now } = JSON.parse(sessionStorage.getItem("rating") || "{}");
    const from = now - seen > PAUSE ? now : begun;
    proposal.hidden = now - from < LONG;
    sessionStorage.setItem("rating", JSON.stringify({ begun: from, seen: now }));
  }
  proposal.querySelector("button").addEventListener("click", () => {
    sessionStorage.removeItem("rating");
    proposeBreak();
    const open = firstOpen();
    if (open) open.focus();
  });

  function say(text) {
    connection.textContent = text;
    connection.hidden = text === "";
  }

  // Send until the server answers: a lost connection is said, never hidden.
  async function post(address, data) {
    for (let pause = 1; ; pause = Math.min(pause * 2, 30)) {
      try {
        const reply = await fetch(address, {
          method: "POST",
          body: new URLSearchParams(data),
          headers: { "X-Requested-With": "fetch" },
        });
        if (reply.status < 500 && reply.status !== 429) {
          say("");
          return reply;
        }
        const explains = (reply.headers.get("content-type") || "").startsWith("text/plain");
        const why = explains ? await reply.text() : "";
        say(explains
          ? words.explained.replace("{why}", () => why)
          : reply.status === 503 ? words.busy : words.failing.replace("{status}", reply.status));
      } catch {
        say(words.offline);
      }
      await wait(pause);
    }
  }

  // The form has a character that cannot be stored.
  function refused(reply) {
    return reply.status === 400 && (reply.headers.get("content-type") || "").startsWith("text/plain");
  }

  function show(html) {
    place.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
    active = 0;
    since = lastSeen = performance.now();
    place.dispatchEvent(new Event("screen", { bubbles: true }));
    // The page of somebody who leaves has scripts of its own.
    if (place.querySelector("[data-leaves]")) location.assign(place.querySelector("[data-leaves]").dataset.leaves);
    const first = place.querySelector("[data-focus]") || place.querySelector("[aria-invalid=true], .wrong input") || firstOpen();
    window.scrollTo({ top: 0 });
    proposeBreak();
    countAnswered();
    if (first) first.focus({ preventScroll: !first.closest(".wrong") });
  }

  // Questions are groups: a fieldset of radio buttons, or a slider with its number.
  function groups() {
    const found = form();
    return found ? [...found.querySelectorAll("[data-question], [data-slider]")] : [];
  }
  function isOpen(group) {
    if (group.matches("[data-slider]")) return group.querySelector("input[type=number]").value === "";
    return !group.querySelector("input:checked");
  }
  function handle(group) {
    return group.querySelector("input[type=range]") || group.querySelector("input:checked") || group.querySelector("input");
  }
  function firstOpen() {
    const open = groups().find(isOpen) || groups()[0];
    return open ? handle(open) : null;
  }

  function countAnswered() {
    const button = place.querySelector("[data-next]");
    if (!button) return;
    const all = groups();
    const open = all.filter(isOpen);
    const told = button.firstElementChild;
    told.textContent = told.dataset.some.replace("{answered}", all.length - open.length).replace("{all}", all.length);
    button.hidden = all.length < 2;
    button.disabled = open.length === 0;
  }
  // The next open question after the one with the focus, or the first.
  function goToOpen() {
    const at = document.activeElement;
    const open = groups().filter(isOpen);
    const after = open.find((group) => at.compareDocumentPosition(group) & Node.DOCUMENT_POSITION_FOLLOWING);
    const next = after || open[0];
    if (next) handle(next).focus();
  }

  // What does not go together, which the page lists, is asked about once; the same answers are
  // saved when they are sent again.
  const holds = {
    is: (answer, value) => answer === value,
    not: (answer, value) => answer !== value,
    above: (answer, value) => Number(answer) > Number(value),
    below: (answer, value) => Number(answer) < Number(value),
    unlike: (answer, field, given) => given(field) !== "" && Number(answer) !== Number(given(field)),
  };
  function asksAgain(sent) {
    const notice = sent.querySelector("[data-contradictions]");
    if (!notice) return false;
    const data = new FormData(sent);
    const given = (field) => data.get(field) || "";
    const found = JSON.parse(notice.dataset.contradictions)
      .filter(([, conditions]) => conditions.every(([field, relation, value]) => given(field) !== "" && holds[relation](given(field), value, given)))
      .map(([said]) => said);
    const shown = [...notice.querySelectorAll("li")].map((line) => line.textContent);
    const again = !notice.hidden && found.every((said) => shown.includes(said));
    notice.hidden = found.length === 0;
    notice.querySelector("ul").replaceChildren(...found.map((said) => {
      const line = document.createElement("li");
      line.textContent = said;
      return line;
    }));
    sent.elements.warned.value = again && found.length ? "yes" : "";
    if (again || notice.hidden) return false;
    notice.focus();
    notice.scrollIntoView({ block: "center" });
    return true;
  }

  // An answer is kept in this browser until the server has it: the session may end on the way.
  const own = location.pathname.match(/^.*\/rate\/([^/]+)\//);
  const name = own && `answer ${own[1]}`;
  function keep(data) {
    const kept = new URLSearchParams(data);
    kept.delete("csrfmiddlewaretoken");
    try {
      if (name) localStorage.setItem(name, kept);
    } catch { /* No room, or storing is forbidden: then the page says that it is not saved. */ }
  }
  function kept() {
    try {
      return name && localStorage.getItem(name);
    } catch {
      return null;
    }
  }
  function forget() {
    if (kept()) localStorage.removeItem(name);
  }
  // Send an answer, and show the screen that comes next, or what is wrong.
  async function deliver(address, data) {
    sending = true;
    const reply = await post(address, data);
    sending = false;
    if (reply.status === 403) {
      form()?.removeAttribute("aria-busy");
      say(kept() ? words.kept : words.ended);
      return null;
    }
    forget();
    if (refused(reply)) {
      form()?.removeAttribute("aria-busy");
      say(await reply.text());
      return null;
    }
    if (reply.status === 404 || !reply.headers.get("content-type").startsWith("text/html")) {
      location.reload();
      return null;
    }
    show(await reply.text());
    return reply;
  }
  async function sendKept() {
    const data = new URLSearchParams(kept());
    data.set("csrfmiddlewaretoken", words.token);
    const reply = await deliver(`${own[0]}submit/`, data);
    if (reply?.ok) say(words.arrived);
  }

  async function submit(button) {
    const sent = form();
    // Without a button it is shown, not to be changed any more.
    if (!sent || sending || !button) return;
    const missing = button.value === "cannot" ? null : groups().find(isOpen);
    if (missing) {
      missing.classList.add("wrong");
      say(words.open);
      handle(missing).focus();
      return;
    }
    if (button.value !== "cannot" && asksAgain(sent)) return;
    sending = true;
    sent.setAttribute("aria-busy", "true");
    clearTimeout(draftTimer);
    draftTimer = 0;
    alive();
    sent.elements.seconds.value = (active / 1000).toFixed(1);
    const data = new FormData(sent, button);
    keep(data);
    // A draft on its way would otherwise arrive after the answer.
    if (saving) await saving;
    const reply = await deliver(sent.getAttribute("action"), data);
    if (reply && location.pathname.includes("/item/")) history.replaceState(null, "", sent.dataset.draft.replace(/draft\/$/, ""));
  }

  async function saveDraft() {
    const sent = form();
    if (!sent || sending) return;
    const reply = await post(sent.dataset.draft, new FormData(sent));
    if (form() !== sent) return;
    if (reply.ok) {
      sent.elements.version.value = (await reply.json()).version;
    } else if (reply.status === 409) {
      const stored = await reply.json();
      sent.elements.version.value = stored.version || sent.elements.version.value;
      say(stored.detail || words.newer);
    } else if (reply.status === 403) {
      say(words.ended);
    } else if (refused(reply)) {
      say(await reply.text());
    }
  }
  function later() {
    clearTimeout(draftTimer);
    draftTimer = setTimeout(() => { draftTimer = 0; saving = saveDraft().finally(() => { saving = null; }); }, DRAFT_DELAY);
  }

  place.addEventListener("submit", (event) => {
    if (!event.target.matches("form.screen")) return;
    event.preventDefault();
    submit(event.submitter || event.target.querySelector(".primary"));
  });
  place.addEventListener("change", (event) => {
    const group = event.target.closest(".wrong");
    if (group && !isOpen(group)) group.classList.remove("wrong");
    countAnswered();
    later();
  });
  place.addEventListener("input", () => {
    countAnswered();
    later();
  });
  place.addEventListener("click", (event) => {
    if (event.target.closest("[data-keys]")) keys.showModal();
    if (event.target.closest("[data-next]")) goToOpen();
  });
  // Who leaves the page at once loses nothing that was just typed.
  window.addEventListener("pagehide", () => {
    if (draftTimer && form()) navigator.sendBeacon(form().dataset.draft, new FormData(form()));
  });

  function choose(group, value) {
    const option = [...group.querySelectorAll("input")].find((input) => input.value === value);
    if (!option) return false;
    option.checked = true;
    option.dispatchEvent(new Event("change", { bubbles: true }));
    const next = groups().find(isOpen);
    (next ? handle(next) : form().querySelector(".primary") || option).focus();
    return true;
  }
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("textarea, input[type=number], input:not([type]), input[type=text]");
    if (keys.open || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" && event.target.matches("input[type=radio], input[type=range], input[type=number]")) {
      event.preventDefault();
      submit(form().querySelector(".primary"));
      return;
    }
    if (typing) return;
    if (event.key === "?") {
      keys.showModal();
      return;
    }
    const key = event.key.toLowerCase();
    if (key === "n") {
      goToOpen();
      return;
    }
    if (key === "z") {
      place.querySelector("[data-last]")?.click();
      return;
    }
    const own = event.target.closest("[data-question]");
    const group = own || groups().find((each) => each.matches("[data-question]") && isOpen(each)) || groups().find((each) => each.matches("[data-question]"));
    const value = { t: "tie" }[key] || key;
    if (group && /^([0-9a-d]|tie)$/.test(value) && choose(group, value)) event.preventDefault();
  });

  window.addEventListener("beforeunload", (event) => {
    if (sending) event.preventDefault();
  });
  proposeBreak();
  countAnswered();
  if (kept()) sendKept();
  const first = place.querySelector("[data-focus]") || firstOpen();
  if (first) first.focus({ preventScroll: true });
})();
