const PAGES = 'https://github.com/isotherm/isotherm/blob/main/docs/lint'

/** The address of a rule's page. */
export function rulePage(id: string): string {
  return `${PAGES}/${id}.md`
}
