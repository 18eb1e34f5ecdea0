import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findProgramProblem } from './program-problem.ts'

/** Written out: a name that falls out of the list must be missed here. */
const STARTERS =
  'sh ash bash dash zsh ksh mksh fish csh tcsh rbash busybox cmd.exe powershell powershell.exe pwsh nu elvish xonsh ' +
  'env xargs sudo doas su nohup setsid timeout nice script eval watch parallel ssh find awk gawk mawk unshare nsenter chroot ' +
  'toybox stdbuf ionice taskset chrt flock time strace ltrace gdb systemd-run start-stop-daemon run-parts tmux npx ld.so ' +
  'bash5.2 ksh93 ld-musl-x86_64.so.1'
const INTERPRETERS =
  'node nodejs deno bun python pypy perl ruby php lua luajit tclsh osascript groovy jshell R Rscript julia guile racket'

test('no program is started that starts whatever it is given', () => {
  for (const name of STARTERS.split(' '))
    assert.match(findProgramProblem(`/usr/bin/${name}`, []) ?? '', /runs its arguments/, name)
  assert.equal(findProgramProblem('/usr/bin/pay', ['-c']), undefined)
})

test('no interpreter gets an option that runs an argument as code', () => {
  for (const name of INTERPRETERS.split(' ')) {
    assert.equal(findProgramProblem(`/usr/bin/${name}`, ['/opt/pay.js']), undefined, name)
    assert.match(findProgramProblem(`/usr/bin/${name}`, ['-e']) ?? '', /as code/, name)
  }
  for (const option of [
    '-c',
    '-e',
    '-E',
    '-p',
    '-r',
    '--eval',
    '--print',
    'eval',
    '--print=1',
    '-ic',
  ])
    assert.match(findProgramProblem('/usr/bin/node', [option]) ?? '', /as code/, option)
  for (const option of ['--check', '--trace', { param: '/a' }])
    assert.equal(findProgramProblem('/usr/bin/node', ['/opt/pay.js', option]), undefined)
})

test('a path is absolute, and goes through no segment of dots', () => {
  for (const path of [
    'pay',
    './pay',
    '/usr/../bin/pay',
    '/usr/./pay',
    '/usr//pay',
    '/usr/bin/',
    '//pay',
  ])
    assert.notEqual(findProgramProblem(path, []), undefined, path)
  assert.match(findProgramProblem('/sh', []) ?? '', /runs its arguments/)
  for (const path of ['/pay', '/usr/bin/7', '/usr/bin/7.1-2'])
    assert.equal(findProgramProblem(path, []), undefined, path)
})
