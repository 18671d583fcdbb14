import type { DataFile, Tree } from './data-file.js'
import { checkBounds, childOf, isNodeInside } from './page.js'
import { PageDamage } from './page-damage.js'

/** The pages of a tree, as its branch pages refer to them. */
export interface TreePages {
  readonly branches: readonly number[]
  /** In the order of their keys. */
  readonly leaves: readonly number[]
}

/**
 * Finds the pages of a tree by reading its branch pages only, of which there are few. A damaged branch page is reported,
 * and everything under it is left out.
 */
export function pagesOf(file: DataFile, tree: Tree, onDamage: (damage: PageDamage) => void): TreePages {
  const { root, depth } = tree
  if (root === undefined || depth === 0) return { branches: [], leaves: [] }
  const branches: number[] = []
  let level: number[] = [root]
  for (let above = depth - 1; above > 0; above--) {
    const below: number[] = []
    for (const number of level) {
      branches.push(number)
      try {
        const page = file.page(number)
        const count = checkBounds(page, number, 'branch', file.header)
        for (let node = 0; node < count; node++) {
          if (isNodeInside(page, node, 'branch', file.header)) below.push(childOf(page, node))
          else onDamage(new PageDamage(`page ${number} has a node outside of its bounds`))
        }
      } catch (error) {
        if (!(error instanceof PageDamage)) throw error
        onDamage(error)
      }
    }
    level = below
  }
  return { branches, leaves: level }
}
