import { describe, expect, it } from 'vitest'
import { countImporters } from './links.js'
import type { SurveyFile } from './survey.js'

function source(path: string, language: string, ...imports: string[]): SurveyFile {
  return { path, bytes: 1, content: { kind: 'source', language, lines: 1, imports, signatures: [], unlisted: 0, errors: 0 } }
}

const counts = (...files: SurveyFile[]): Record<string, number> => Object.fromEntries(countImporters(files))

describe('the count of importers', () => {
  it('follows relative paths of scripts, with and without endings, to files and to folders', () => {
    const found = counts(
      source('src/a.ts', 'TypeScript', './b.js', '../lib', 'react', './c', './missing.js'),
      source('src/b.ts', 'TypeScript', './c.jsx'),
      source('src/c.tsx', 'TypeScript', './c.js'),
      source('lib/index.ts', 'TypeScript'),
    )
    expect(found).toEqual({ 'src/b.ts': 1, 'src/c.tsx': 2, 'lib/index.ts': 1 })
  })

  it('follows relative and absolute imports of Python to modules and packages', () => {
    const found = counts(
      source('src/shop/cart.py', 'Python', '.money (Rate)', '. (models)', '..tools', 'os'),
      source('src/shop/money.py', 'Python', 'shop.models (Item)', 'shop (cart)'),
      source('src/shop/models.py', 'Python', 'shop'),
      source('src/shop/__init__.py', 'Python'),
      source('src/tools.py', 'Python'),
    )
    expect(found).toEqual({
      'src/shop/money.py': 1,
      'src/shop/models.py': 2,
      'src/tools.py': 1,
      'src/shop/cart.py': 1,
      'src/shop/__init__.py': 1,
    })
  })

  it('follows a path of Go to the folder of the package, and not to its tests', () => {
    const found = counts(
      source('main.go', 'Go', 'example.com/app/internal/money', 'fmt'),
      source('internal/money/money.go', 'Go'),
      source('internal/money/money_test.go', 'Go'),
    )
    expect(found).toEqual({ 'internal/money/money.go': 1 })
  })

  it('follows modules and paths of Rust within the crate', () => {
    const found = counts(
      source('app/src/main.rs', 'Rust', 'mod money', 'mod shop', 'crate::shop::cart::Cart', 'std::fmt'),
      source('app/src/money.rs', 'Rust', 'crate::shop::{self, cart}'),
      source('app/src/shop/mod.rs', 'Rust', 'mod cart', 'super::money::Rate as R'),
      source('app/src/shop/cart.rs', 'Rust', 'super::*'),
      source('other/src/money.rs', 'Rust'),
    )
    expect(found).toEqual({ 'app/src/money.rs': 2, 'app/src/shop/mod.rs': 3, 'app/src/shop/cart.rs': 2 })
  })

  it('follows names of Java to classes, also for static members', () => {
    const found = counts(
      source('src/main/java/shop/Cart.java', 'Java', 'shop.money.Rate', 'shop.Rates.vat', 'java.util.List'),
      source('src/main/java/shop/money/Rate.java', 'Java'),
      source('src/main/java/shop/Rates.java', 'Java'),
    )
    expect(found).toEqual({ 'src/main/java/shop/money/Rate.java': 1, 'src/main/java/shop/Rates.java': 1 })
  })
})
