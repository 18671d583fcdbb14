const LIBRARY = 'packages/isotherm/src'
const ENGINE = 'packages/local/src'
const SEMANTICS = 'packages/semantics/src'

const under = (sources, names, { floor, users = [] }) =>
  names.map((name) => ({
    folder: `${sources}/${name}`,
    floor,
    users: users.filter((user) => user !== name).map((user) => `${sources}/${user}`),
  }))

/**
 * The folders whose scores the page states, the share of planted bugs that tests have to notice, and the folders beside whose sources there are
 * tests of them, too.
 */
export const FOLDERS = [
  ...under(LIBRARY, ['protocol'], { floor: 0.95 }),
  ...under(LIBRARY, ['scaling', 'queries', 'attempts'], { floor: 0.9 }),
  ...under(LIBRARY, ['rebuilding'], { floor: 0.9, users: ['client'] }),
  ...under(LIBRARY, ['transactions'], { floor: 0.9, users: ['attempts'] }),
  ...under(ENGINE, ['capacity', 'partition', 'stream'], { floor: 0.9 }),
  ...under(ENGINE, ['transaction'], { floor: 0.9, users: ['engine', 'operations', 'table'] }),
  ...under(ENGINE, ['storage'], { floor: 0.9, users: ['salvage'] }),
  { folder: SEMANTICS, floor: 0.9, users: [] },
]

/** Behind the name of a folder: its own files, without the folders in it. */
const OWN_FILES = '/*'

/** @returns the folder's path, without `/*` */
export function pathOf(folder) {
  return isFlat(folder) ? folder.slice(0, -OWN_FILES.length) : folder
}

export function isFlat(folder) {
  return folder.endsWith(OWN_FILES)
}

/** Whether it is one source of a folder: the smallest part that is measured by itself. */
export function isFile(part) {
  return part.endsWith('.ts')
}

/** @returns whether a source belongs to the folder, or to a folder in it */
export function isIn(folder, file) {
  if (isFile(folder)) return file === folder
  const path = `${pathOf(folder)}/`
  return file.startsWith(path) && !(isFlat(folder) && file.includes('/', path.length))
}

/** @returns the tests that have to notice, and all of the package; `undefined` if the folder is in none of the packages */
export function testsOf(part) {
  const folder = pathOf(part)
  const sources = [LIBRARY, ENGINE, SEMANTICS].find(
    (each) => folder === each || folder.startsWith(`${each}/`),
  )
  if (sources === undefined) return undefined
  // A part of a folder is held by the tests of the whole folder.
  const { folder: whole, users } = listed(folder) ?? { folder, users: [] }
  const near = [whole, ...users]
  return { near: near.map((each) => `${each}/**/*.test.ts`), all: [`${sources}/**/*.test.ts`] }
}

/** @returns the share that tests have to notice */
export function floorOf(folder) {
  return listed(folder)?.floor ?? 0.9
}

/** The entry of the folder, or of one above it. */
function listed(folder) {
  return FOLDERS.find((each) => folder === each.folder || folder.startsWith(`${each.folder}/`))
}
