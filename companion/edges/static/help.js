// Help: what to do when something does not work, in the words of this table.
import { html, render } from "./preact-htm.js";
import { language, load, w } from "./text.js";

const TOPICS = ["begin", "phone", "unread", "wrong", "glare", "button", "silent", "screen", "plug", "more"];

function App() {
  return html`<div class="op-page"><header><h1>${w("help")}</h1><span class="quiet"><a href="/table">${w("to_table")}</a> <a href="/op">${w("operator")}</a> <a href="/print">${w("print_shop")}</a> <a href="/history">${w("history_of_games")}</a></span></header>
    ${TOPICS.map((topic) => html`<section key=${topic}><h2>${w(`help.${topic}`)}</h2><p>${w(`help.${topic}.do`)}</p></section>`)}
    <section><h2>${w("licences")}</h2><p class="quiet">companion: MIT. preact, htm: MIT, Apache 2.0. starlette, uvicorn, websockets, msgspec, click: BSD. OpenCV: Apache 2.0. reportlab: BSD. gpiozero: BSD. pyserial: BSD. qrcode: BSD.</p></section></div>`;
}

load(language()).then(() => {
  document.querySelector("noscript").remove();
  render(html`<${App}/>`, document.body);
});
