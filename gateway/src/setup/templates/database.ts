import type { BoundArgument, ServerTemplate } from './server-template.ts'

const TABLE: BoundArgument = { bound: 'tables', at: '/table_name' }

/**
 * A table that is an argument can be bounded. A statement cannot: which tables it reads and what it changes, only the
 * database knows. So whatever takes one asks.
 */
export const DATABASE: ServerTemplate = {
  name: 'database',
  knownBy: ['list_tables', 'describe_table', 'read_query', 'write_query'],
  tools: {
    list_tables: { class: 'read' },
    describe_table: { class: 'read', names: [TABLE] },
    read_rows: { class: 'read', names: [TABLE] },
    insert_rows: { class: 'write', names: [TABLE] },
    query: { class: 'write' },
    read_query: { class: 'write' },
    write_query: { class: 'destroy' },
    create_table: { class: 'write' },
    append_insight: { class: 'write', leaves: ['/insight'] },
    alter_table: { class: 'destroy' },
    drop_table: { class: 'destroy' },
    execute: { class: 'destroy' },
  },
}
