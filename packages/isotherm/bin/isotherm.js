#!/usr/bin/env node
// The command is in `@isotherm/cli`, which brings the local engine: an application in production must not install that.
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const COMMAND = '@isotherm/cli'

// Beside this package, or, where a package sees only its own dependencies, in the project that the command is run in.
const places = [import.meta.url, pathToFileURL(`${process.cwd()}/package.json`)]
const entry = places.map(resolved).find((path) => path !== undefined)
if (entry === undefined) {
  console.error(
    `isotherm: The command is in the package ${COMMAND}; install it with 'npm install --save-dev ${COMMAND}', or run it once with 'npx ${COMMAND}'.`,
  )
  process.exitCode = 1
} else {
  await import(new URL('../bin/isotherm.js', pathToFileURL(entry)).href)
}

function resolved(place) {
  try {
    return createRequire(place).resolve(COMMAND)
  } catch {
    return undefined
  }
}
