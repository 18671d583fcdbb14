import { JUDGEMENTS } from './judgement/judge.js'

const BEGIN = '<!-- exceptions: written by `npm run differential -- --document`, not by hand -->'
const END = '<!-- end of exceptions -->'

/** Returns the document with the current table of exceptions between its two marks. */
export function withExceptionTable(document: string): string {
  const [before, rest] = document.split(BEGIN)
  const [, after] = (rest ?? '').split(END)
  if (before === undefined || after === undefined) {
    throw new Error(`The document must hold the marks ${BEGIN} and ${END}, in this order.`)
  }
  return `${before}${BEGIN}\n\n${table()}\n\n${END}${after}`
}

function table(): string {
  const rows = JUDGEMENTS.map(
    ({ name, reason, source }) => `| \`${name}\` | ${cell(reason)} | ${cell(source)} |`,
  )
  return ['| name | what differs, and why this engine is right | source |', '|---|---|---|', ...rows].join(
    '\n',
  )
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
