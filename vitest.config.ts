import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  resolve: {
    // Tests run the sources, so that a failing line is the line that was written.
    alias: {
      '@isotherm/semantics': source('./packages/semantics/src/index.ts'),
      '@isotherm/runtime': source('./packages/runtime/src/index.ts'),
      '@isotherm/local': source('./packages/local/src/index.ts'),
      '@isotherm/differential/oracle': source('./packages/differential/src/oracle/oracle.ts'),
      '@isotherm/scenarios': source('./scenarios/src/index.ts'),
      isotherm: source('./packages/isotherm/src/index.ts'),
    },
  },
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // CommonJS packages are imported as Node imports them.
    deps: { interopDefault: false },
    include: [
      'packages/*/src/**/*.test.ts',
      'scenarios/src/**/*.test.ts',
      'simulation/src/**/*.test.ts',
      'tools/**/*.test.ts',
    ],
    // Without colours even where `CI` is set, which colours what the commands under test print into a pipe.
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true', NO_COLOR: '1' },
  },
})
