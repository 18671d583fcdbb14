const LIBRARY = 'packages/isotherm/src'
const ENGINE = 'packages/local/src'
const SEMANTICS = 'packages/semantics/src'

const under = (sources, names, floor) => names.map((name) => ({ folder: `${sources}/${name}`, floor }))

/** The folders whose scores the page states, and the share of planted bugs that their tests have to notice. */
export const FOLDERS = [
  ...under(LIBRARY, ['protocol'], 0.95),
  ...under(LIBRARY, ['attempts', 'scaling', 'queries', 'transactions'], 0.9),
  ...under(ENGINE, ['capacity', 'partition', 'stream', 'storage', 'transaction'], 0.9),
  { folder: SEMANTICS, floor: 0.9 },
]

/** @returns the tests beside the sources, and all of the package; `undefined` if the folder is in none of the packages */
export function testsOf(folder) {
  const sources = [LIBRARY, ENGINE, SEMANTICS].find(
    (each) => folder === each || folder.startsWith(`${each}/`),
  )
  return sources && { near: [`${folder}/**/*.test.ts`], all: [`${sources}/**/*.test.ts`] }
}

/** @returns the share that tests of this folder have to notice */
export function floorOf(folder) {
  return FOLDERS.find((each) => folder === each.folder || folder.startsWith(`${each.folder}/`))?.floor ?? 0.9
}
