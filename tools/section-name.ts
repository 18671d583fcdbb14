/**
 * The name by which links lead to a heading, on the host of the repository and on the site. GitHub's rule: letters, digits, hyphens and
 * underscores stay, and spaces become hyphens.
 */
export function sectionName(title: string): string {
  const shown = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '')
  return shown
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}
