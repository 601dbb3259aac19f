sessions={
  "s1": {"s_title": "Papers: Hands", "room": "Copper Hall", "time": "10:30-11:30", "submissions": ["pn1"], "personas": "", "venue": "papers", "day": "Wednesday", "s_tags": [], "type": "papers", "hasAward": false, "hasHonorableMention": false, "subtype": "papers", "chair": "Dot Vale"},
  "k1": {"s_title": "Opening", "room": "Copper Hall", "time": "8:30-10:00", "submissions": ["key1"], "personas": "", "venue": "keynote", "day": "Wednesday", "s_tags": [], "type": "keynote", "hasAward": false, "hasHonorableMention": false, "subtype": "keynote", "chair": ""},
  "b1": {"s_title": "Coffee Break", "room": "", "time": "10:00-10:30", "submissions": [], "personas": "", "venue": "breaks", "day": "Wednesday", "s_tags": [], "type": "breaks", "hasAward": false, "hasHonorableMention": false, "subtype": "breaks", "chair": ""},
  "x1": {"s_title": "Exhibit of Jars", "room": "Foyer", "time": "10:30-12:00", "submissions": [], "personas": "", "venue": "exhibit", "day": "Wednesday", "s_tags": [], "type": "special", "hasAward": false, "hasHonorableMention": false, "subtype": "special", "chair": ""}
}
