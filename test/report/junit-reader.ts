import { SaxesParser, type SaxesTagPlain } from 'saxes';

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** Strict: throws on anything that is not well-formed XML 1.0. */
export function readXml(document: string): Element {
  const parser = new SaxesParser();
  const top: Element = { name: '', attributes: {}, children: [], text: '' };
  const path = [top];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag: SaxesTagPlain) => {
    const element: Element = { name: tag.name, attributes: tag.attributes, children: [], text: '' };
    path.at(-1)?.children.push(element);
    path.push(element);
  });
  parser.on('closetag', () => {
    path.pop();
  });
  parser.on('text', (text) => {
    const last = path.at(-1);
    if (last !== undefined) last.text += text;
  });
  parser.write(document).close();
  const [root] = top.children;
  if (root === undefined || top.children.length !== 1) throw new Error('not one root element');
  return root;
}

export interface Case {
  readonly suite: string;
  readonly classname: string;
  readonly name: string;
  readonly outcome: 'passed' | 'failure' | 'error' | 'skipped';
  readonly message: string;
  readonly text: string;
}

export interface JunitFile {
  readonly suites: readonly Element[];
  readonly cases: readonly Case[];
}

const SUITE = ['package', 'id', 'name', 'hostname', 'timestamp', 'tests', 'failures', 'errors', 'skipped', 'time'];
const OUTCOMES = ['failure', 'error', 'skipped'] as const;

/**
 * A reader as strict as junit-10.xsd and the windyroad JUnit.xsd together; throws on the first rule broken.
 * `junit-schemas.test.ts` asks the schemas themselves where they are at hand.
 */
export function readJunit(document: string): JunitFile {
  const root = readXml(document);
  must(root.name === 'testsuites' && Object.keys(root.attributes).length === 0, 'the root is a bare <testsuites>');
  const cases: Case[] = [];
  for (const [index, suite] of root.children.entries()) {
    must(suite.name === 'testsuite', 'two levels');
    must(Object.keys(suite.attributes).sort().join() === [...SUITE].sort().join(), 'all attributes of a suite');
    must(suite.attributes['id'] === String(index), 'ids count from 0');
    must(/^\S+( \S+)*$/.test(suite.attributes['name'] ?? ''), 'a suite name is a token');
    must((suite.attributes['hostname'] ?? '') !== '', 'hostname is not empty');
    must(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(suite.attributes['timestamp'] ?? ''), 'timestamp without zone');
    must(/^\d+\.\d{3}$/.test(suite.attributes['time'] ?? ''), 'time has three decimals');
    const names = suite.children.map(({ name }) => name);
    must(names[0] === 'properties', 'properties first');
    must(names.slice(-2).join() === 'system-out,system-err', 'system-out and system-err last');
    must(
      names.slice(1, -2).every((name) => name === 'testcase'),
      'nothing but testcases between',
    );
    const own = suite.children.filter(({ name }) => name === 'testcase').map((each) => readCase(each, suite));
    const count = (outcome: Case['outcome']) => own.filter((each) => each.outcome === outcome).length;
    must(suite.attributes['tests'] === String(own.length), 'tests');
    must(suite.attributes['failures'] === String(count('failure')), 'failures');
    must(suite.attributes['errors'] === String(count('error')), 'errors');
    must(suite.attributes['skipped'] === String(count('skipped')), 'skipped');
    cases.push(...own);
  }
  const identities = cases.map(({ classname, name }) => `${classname}\n${name}`.replace(/\s+/g, ' '));
  must(new Set(identities).size === identities.length, 'classname and name are unique');
  return { suites: root.children, cases };
}

function readCase(element: Element, suite: Element): Case {
  must(Object.keys(element.attributes).sort().join() === 'classname,name,time', 'attributes of a testcase');
  must(/^\d+\.\d{3}$/.test(element.attributes['time'] ?? ''), 'time has three decimals');
  must(element.children.length <= 1, 'one outcome child');
  const shared = {
    suite: suite.attributes['name'] ?? '',
    classname: element.attributes['classname'] ?? '',
    name: element.attributes['name'] ?? '',
  };
  const [child] = element.children;
  if (child === undefined) return { ...shared, outcome: 'passed', message: '', text: '' };
  const outcome = OUTCOMES.find((each) => each === child.name);
  if (outcome === undefined) throw new Error(`unknown outcome ${child.name}`);
  must('message' in child.attributes, 'a message');
  must('type' in child.attributes === (outcome !== 'skipped'), 'type on failures and errors, not on skips');
  const message = child.attributes['message'] ?? '';
  must(child.text.split('\n')[0] === message, 'the message is the first line of the text');
  return { ...shared, outcome, message, text: child.text };
}

function must(holds: boolean, rule: string): void {
  if (!holds) throw new Error(`JUnit rule broken: ${rule}`);
}
