// Rows by pages, so that a table of thousands costs no more than one of fifty.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

export type Column<T> = { name: string; cell: (row: T) => ComponentChildren; number?: true }

const PAGE_ROWS = 50

type Props<T> = { label: string; rows: readonly T[]; columns: readonly Column<T>[] }

export function Table<T>({ label, rows, columns }: Props<T>) {
  const [wanted, turn] = useState(0)
  const pages = Math.max(1, Math.ceil(rows.length / PAGE_ROWS))
  const page = Math.min(wanted, pages - 1)
  const shown = rows.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS)
  return (
    <>
      <div class="scroll" role="region" aria-label={`${label}, as a table`} tabIndex={0}>
        <table>
          <thead><tr>{columns.map(({ name, number }) => <th scope="col" class={number && 'number'}>{name}</th>)}</tr></thead>
          <tbody>
            {shown.map((row) => <tr>{columns.map(({ cell, number }) => <td class={number && 'number'}>{cell(row)}</td>)}</tr>)}
          </tbody>
        </table>
        {rows.length === 0 && <p class="empty">Nothing to show yet.</p>}
      </div>
      {pages > 1 && (
        <div class="pager">
          <button type="button" disabled={page === 0} onClick={() => turn(page - 1)}>Earlier</button>
          <span aria-live="polite">page {page + 1} of {pages}</span>
          <button type="button" disabled={page === pages - 1} onClick={() => turn(page + 1)}>Later</button>
        </div>
      )}
    </>
  )
}
