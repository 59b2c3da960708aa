import { configDefaults, defineConfig } from 'vitest/config'

// Programs of the repair benchmark have tests of their own, for another runner.
const exclude = [...configDefaults.exclude, 'test/corpus/**']
const define = { __GREENLATCH_VERSION__: JSON.stringify('0.0.0-test') }

export default defineConfig({
  test: {
    projects: [
      { define, test: { name: 'unit', include: ['src/**/*.test.ts'], testTimeout: 60_000, maxWorkers: 2 } },
      { define, test: { name: 'e2e', include: ['test/**/*.test.ts'], exclude, globalSetup: ['test/global-setup.ts'], testTimeout: 120_000, hookTimeout: 60_000, maxWorkers: 2 } },
    ],
  },
})
