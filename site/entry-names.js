import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Converter, ReflectionKind } from 'typedoc'
import { ENTRIES } from './entries.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A plugin of TypeDoc: modules are called as applications import them, and not as their files. */
export function load(app) {
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
    if (reflection.kind !== ReflectionKind.Module) return
    const file = context.getSymbolFromReflection(reflection)?.declarations?.[0]?.getSourceFile().fileName
    const name = file === undefined ? undefined : ENTRIES[relative(root, file)]
    if (name !== undefined) reflection.name = name
  })
}
