// Small matrices of numbers as lists of rows.

export type Matrix = number[][]

export function create(rows: number, columns: number, fill: (row: number, column: number) => number = () => 0): Matrix {
  return Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => fill(row, column)))
}

export function identity(size: number): Matrix {
  return create(size, size, (row, column) => (row === column ? 1 : 0))
}

export function shape(m: Matrix): [number, number] {
  const columns = m[0]?.length ?? 0
  if (m.some((row) => row.length !== columns)) throw new Error('rows differ in length')
  return [m.length, columns]
}

export function transpose(m: Matrix): Matrix {
  const [rows, columns] = shape(m)
  return create(columns, rows, (row, column) => m[column]![row]!)
}

export function add(a: Matrix, b: Matrix): Matrix {
  const [rows, columns] = shape(a)
  const [otherRows, otherColumns] = shape(b)
  if (rows !== otherRows || columns !== otherColumns) throw new Error('shapes differ')
  return create(rows, columns, (row, column) => a[row]![column]! + b[row]![column]!)
}

export function multiply(a: Matrix, b: Matrix): Matrix {
  const [rows, inner] = shape(a)
  const [otherRows, columns] = shape(b)
  if (inner !== otherRows) throw new Error(`cannot multiply ${rows}x${inner} by ${otherRows}x${columns}`)
  const product = create(rows, columns)
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      let sum = 0
      for (let k = 0; k < inner; k += 1) {
        sum += a[row]![k]! * b[k]![column]!
      }
      product[row]![column] = sum
    }
  }
  return product
}

function minor(m: Matrix, row: number, column: number): Matrix {
  return m.filter((_, at) => at !== row).map((line) => line.filter((_, at) => at !== column))
}

export function determinant(m: Matrix): number {
  const [rows, columns] = shape(m)
  if (rows !== columns) throw new Error('only square matrices have a determinant')
  if (rows === 0) return 1
  let total = 0
  for (let column = 0; column < columns; column += 1) {
    const sign = column % 2 === 0 ? 1 : -1
    total += sign * m[0]![column]! * determinant(minor(m, 0, column))
  }
  return total
}

/** By squaring; the power must be a whole number from zero on. */
export function power(m: Matrix, exponent: number): Matrix {
  let result = identity(shape(m)[0])
  let base = m
  let left = exponent
  while (left > 0) {
    if (left % 2 === 1) result = multiply(result, base)
    base = multiply(base, base)
    left = Math.floor(left / 2)
  }
  return result
}

/** A quarter turn clockwise. */
export function rotate(m: Matrix): Matrix {
  return transpose(m).map((row) => row.reverse())
}

export function spiral(m: Matrix): number[] {
  const [rows, columns] = shape(m)
  const found: number[] = []
  let [top, left, bottom, right] = [0, 0, rows - 1, columns - 1]
  while (top <= bottom && left <= right) {
    for (let column = left; column <= right; column += 1) found.push(m[top]![column]!)
    for (let row = top + 1; row <= bottom; row += 1) found.push(m[row]![right]!)
    if (top < bottom) for (let column = right - 1; column >= left; column -= 1) found.push(m[bottom]![column]!)
    if (left < right) for (let row = bottom - 1; row > top; row -= 1) found.push(m[row]![left]!)
    top += 1
    left += 1
    bottom -= 1
    right -= 1
  }
  return found
}
