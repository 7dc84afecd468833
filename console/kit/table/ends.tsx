type Props = { text: string; end?: number };

/** If there is too little room, cuts the start of the text, but not its end. Without `end`, the end begins at the last dot. */
export const Ends = ({ text, end = text.lastIndexOf(' · ') }: Props) =>
  end === -1 ? (
    <span className="cut">{text}</span>
  ) : (
    <span className="ends" title={text}>
      <span className="cut">{text.slice(0, end)}</span>
      <span>{text.slice(end)}</span>
    </span>
  );
