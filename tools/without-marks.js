const WITHIN_A_LINE = /\/\* mark: [a-z-]+ \*\/ ?/g
/** The line stays, empty, so that lines keep their numbers. */
const OWN_LINE = /^[ \t]*\/\/ mark: [a-z-]+$/gm

/** Compiled code without the marks of planted bugs (docs/simulation.md, "It can fail"). */
export function withoutMarks(code) {
  return code.replace(WITHIN_A_LINE, '').replace(OWN_LINE, '')
}
