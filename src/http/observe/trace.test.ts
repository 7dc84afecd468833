import { describe, expect, test } from 'bun:test';
import { createTraces, formatTraceparent, isSampled } from './trace.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT_ID = '00f067aa0ba902b7';
const random = (bytes: number) => new Uint8Array(bytes).fill(0xab);
const goOn = createTraces(random, false);

describe('a trace', () => {
  test('continues the trace of the caller, with a new span', () => {
    const trace = goOn(`00-${TRACE_ID}-${PARENT_ID}-01`);
    expect(trace).toEqual({ traceId: TRACE_ID, parentId: PARENT_ID, spanId: 'abababababababab', flags: '01' });
    expect(trace && formatTraceparent(trace)).toBe(`00-${TRACE_ID}-abababababababab-01`);
  });

  test.each([
    ['nothing', null],
    ['an empty header', ''],
    ['capital letters', `00-${TRACE_ID.toUpperCase()}-${PARENT_ID}-01`],
    ['no trace', `00-${'0'.repeat(32)}-${PARENT_ID}-01`],
    ['no span', `00-${TRACE_ID}-${'0'.repeat(16)}-01`],
    ['the invalid version ff', `ff-${TRACE_ID}-${PARENT_ID}-01`],
    ['more fields than version 00 has', `00-${TRACE_ID}-${PARENT_ID}-01-more`],
    ['fewer fields', `00-${TRACE_ID}-${PARENT_ID}`],
    ['two traces', `00-${TRACE_ID}-${PARENT_ID}-01, 00-${TRACE_ID}-${PARENT_ID}-01`],
  ])('does not continue %s', (_, header) => {
    expect(goOn(header)).toBeUndefined();
  });

  test('continues a trace of a later version, using the fields it knows', () => {
    expect(goOn(`01-${TRACE_ID}-${PARENT_ID}-00-more`)?.traceId).toBe(TRACE_ID);
  });

  test('starts if spans are collected and the caller sends no trace', () => {
    const begun = createTraces(random, true)(null);
    expect(begun).toEqual({ traceId: 'ab'.repeat(16), spanId: 'ab'.repeat(8), parentId: undefined, flags: '01' });
  });

  test('keeps the sampled flag of the caller and drops unknown flags', () => {
    const traces = ['00', '01', '02', 'ff'].map((flags) => goOn(`00-${TRACE_ID}-${PARENT_ID}-${flags}`));
    expect(traces.map((trace) => trace && isSampled(trace))).toEqual([false, true, false, true]);
    expect(traces.map((trace) => trace && formatTraceparent(trace).slice(-3))).toEqual(['-00', '-01', '-02', '-03']);
  });
});
