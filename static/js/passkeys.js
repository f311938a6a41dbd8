"use strict";

// Forms that a passkey fills in: <form data-passkey="create"> and <form data-passkey="get">.
for (const form of document.querySelectorAll("form[data-passkey]")) {
  const isNew = form.dataset.passkey === "create";
  form.hidden = !window.PublicKeyCredential?.parseRequestOptionsFromJSON;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const status = form.querySelector("[role=status]");
    status.textContent = "";
    try {
      const options = await optionsFor(form, isNew);
      const made = await navigator.credentials[form.dataset.passkey]({ publicKey: options });
      form.elements.credential.value = JSON.stringify(made.toJSON());
      form.submit();
    } catch (error) {
      status.textContent = `No passkey was ${isNew ? "made" : "used"} (${error.name}). Try again.`;
    }
  });
}

async function optionsFor(form, isNew) {
  const embedded = document.getElementById("passkey-options");
  const said = embedded
    ? JSON.parse(embedded.textContent)
    : await (await fetch(form.action, { headers: { Accept: "application/json" } })).json();
  if (!isNew) {
    return PublicKeyCredential.parseRequestOptionsFromJSON(said.request_options.publicKey);
  }
  const options = said.creation_options.publicKey;
  // It signs in by itself: the device keeps it, and asks who holds it.
  Object.assign(options.authenticatorSelection, {
    residentKey: "required",
    requireResidentKey: true,
    userVerification: "required",
  });
  return PublicKeyCredential.parseCreationOptionsFromJSON(options);
}
