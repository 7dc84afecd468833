import { CopyButton } from './copy-button.tsx';

/** A text to be copied. */
export const Code = ({ text, what }: { text: string; what: string }) => (
  <div className="code">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
    <pre tabIndex={0}>
      <code>{text}</code>
    </pre>
    <CopyButton text={text} what={what} />
  </div>
);
