const form = document.querySelector('form')
const list = document.querySelector('ul')
const status = document.querySelector('[role=status]')
const more = document.querySelector('button')

/** Of the search that is shown. An answer of another one comes too late. */
let shown = 0
let cursor

form.addEventListener('input', () => search())
form.addEventListener('submit', (event) => event.preventDefault())
more.addEventListener('click', () => search(cursor))
search()

/** @param {string} [from] where the page begins; none for the first one */
async function search(from) {
  shown += 1
  const own = shown
  const query = new URLSearchParams(new FormData(form))
  if (from !== undefined) query.set('cursor', from)
  const response = await fetch(`contacts?${query}`).catch((error) => ({
    ok: false,
    json: () => ({ error: error.message }),
  }))
  const body = await response.json()
  if (own !== shown) return
  if (!response.ok) {
    status.textContent = body.error
    return
  }
  const rows = body.contacts.map(row)
  if (from === undefined) list.replaceChildren(...rows)
  else list.append(...rows)
  cursor = body.cursor
  more.hidden = cursor === undefined
  status.textContent = `${list.children.length}${more.hidden ? '' : ' or more'} found`
}

function row({ name, company, phone, highlights = {} }) {
  const item = document.createElement('li')
  item.append(cell(name, highlights.name), cell(company, highlights.company), cell(phone, highlights.phone))
  return item
}

/** @param {[number, number][]} [ranges] parts of the text that match */
function cell(text = '', ranges = []) {
  const element = document.createElement('span')
  let end = 0
  for (const [from, to] of ranges) {
    const mark = document.createElement('mark')
    mark.textContent = text.slice(from, to)
    element.append(text.slice(end, from), mark)
    end = to
  }
  element.append(text.slice(end))
  return element
}
