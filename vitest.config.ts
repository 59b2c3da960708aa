import { configDefaults, defineConfig } from 'vitest/config'

// Programs of the repair benchmark have tests of their own, for another runner.
const exclude = [...configDefaults.exclude, 'test/corpus/**']
// Tests of functions of values share one world: loading every module anew for each file cost more than the tests. They start no program, and so
// are run where those that others start are missing.
const ofValues = ['core', 'text', 'config', 'procedures', 'syntax', 'simulate'].map((room) => `src/${room}/**/*.test.ts`)
const define = { __GREENLATCH_VERSION__: JSON.stringify('0.0.0-test') }

// More of these at once than there are cores: most of their time they wait for processes.
const waiting = { maxWorkers: 3 }

export default defineConfig({
  test: {
    projects: [
      { define, test: { name: 'unit-values', include: ofValues, isolate: false, testTimeout: 60_000, maxWorkers: 2, sequence: { groupOrder: 0 } } },
      { define, test: { name: 'unit', include: ['src/**/*.test.ts'], exclude: [...configDefaults.exclude, ...ofValues], testTimeout: 60_000, ...waiting, sequence: { groupOrder: 1 } } },
      { define, test: { name: 'e2e', include: ['test/**/*.test.ts'], exclude, globalSetup: ['test/global-setup.ts'], testTimeout: 120_000, hookTimeout: 60_000, ...waiting, sequence: { groupOrder: 2 } } },
    ],
  },
})
